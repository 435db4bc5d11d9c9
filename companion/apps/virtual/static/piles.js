// Piles of cards that lie face down: some cards are drawn three cards thick, and what they stand for
// is not drawn.  Edges of single cards, thinner than a pixel, take longer than all the rest.

export const CARD_MM = 0.4;
const THICK = 3, ASIDE_MM = 12;

const levelOf = ({ z, size }) => Math.round((z || 0) / ((size && size[2]) || CARD_MM));
const isPiled = ({ kind, look, held, lean }) => kind === "card" && !look && (held ?? null) === null && !(lean && (lean[0] || lean[1]));

// Which of *pieces* are drawn, and how many cards thick those of piles are, by their ids.
export function thin(pieces) {
  const piles = [], thick = new Map();
  const pileOf = (card) => piles.find(({ x, y }) => Math.hypot(x - card.x, y - card.y) < ASIDE_MM);
  for (const card of pieces.filter(isPiled)) {
    const pile = pileOf(card), level = levelOf(card);
    if (!pile) piles.push({ x: card.x, y: card.y, top: level });
    else pile.top = Math.max(pile.top, level);
  }
  const drawn = pieces.filter((card) => {
    if (!isPiled(card)) return true;
    const level = levelOf(card);
    if (level !== pileOf(card).top && level % THICK !== THICK - 1) return false;
    thick.set(card.id, (level % THICK) + 1);
    return true;
  });
  return { drawn, thick };
}
