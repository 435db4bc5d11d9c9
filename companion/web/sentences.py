"""Answers of one sentence, to people and to programs: what cannot be done, and unknown paths."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.language.speech import translated
from companion.web.forms import Refused
from companion.web.http.versions import is_for_programs
from companion.web.site import house_of


def answer_sentence(request: Request, status: int, sentence: str, **more: str) -> Response:
    """Answer with a page that says *sentence*, or with JSON, *more* in it, where programs ask."""
    if is_for_programs(request.scope["path"]):
        return JSONResponse({"error": translated(sentence), **more}, status)
    return house_of(request).page("sentence.html", {}, status, sentence=sentence)


async def answer_status(
    request: Request, error: Exception, sentences: Mapping[int, str]
) -> Response:
    """Answer an HTTP *error* with its own of *sentences*, else in the standard's words."""
    assert isinstance(error, HTTPException)
    status = error.status_code
    words = sentences.get(status, f"{HTTPStatus(status).phrase}.")
    return answer_sentence(request, status, words)


async def answer_refused(request: Request, error: Exception) -> Response:
    """Answer what cannot be done, with its sentence."""
    assert isinstance(error, Refused)
    more = {"clause": error.clause} if error.clause else {}
    answer = answer_sentence(request, error.status, error.sentence, **more)
    if error.retry_s is not None:
        answer.headers["Retry-After"] = str(error.retry_s)
    return answer
