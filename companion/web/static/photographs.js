// Photographs that a page sends: made smaller first.
"use strict";
window.photographs = {
  // The picture in a file, at most so long, as a JPEG; the file itself where it cannot be decoded.
  async shrink(file, longest, quality) {
    try {
      const picture = await createImageBitmap(file);
      const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(picture.width * scale);
      canvas.height = Math.round(picture.height * scale);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      return await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    } catch (_) {
      return file;
    }
  },
  // Whether an answer is a piece of the page, and no plain words.
  isPiece: (answered) => (answered.headers.get("content-type") || "").startsWith("text/html"),
};
