"""Replies kept between runs, by all that was sent; used only where it was asked for.

A run that may take replies from a cache is marked in every table: its clocks and its repeats
do not show what the provider would have done.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_json
from riskchainbench.core.record import Record
from riskchainbench.core.store import read_json, write_json
from riskchainbench.core.system import Finish, Reply
from riskchainbench.models.provider.client import ReplySchema
from riskchainbench.models.provider.images import FittedImage
from riskchainbench.models.provider.sending import Sent
from riskchainbench.models.provider.settings import ModelSettings

CACHED = "response cache"
"""The mark of a run, or of a judge, that may have taken replies from a cache."""


class KeptReply(Record):
    """One reply as it stands in the cache; `images_scaled` and such as in `Reply`."""

    schema_version: Literal["kept-reply/1"] = "kept-reply/1"
    text: str
    finish: Finish
    images_scaled: int = 0
    images_left_out: int = 0


class ReplyCache:
    """A folder of replies, a file each; several runs may share it at the same time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def key(
        self, model: str, settings: ModelSettings, sent: Sent, schema: ReplySchema | None
    ) -> Sha256:
        """Return the hash of all that the reply may depend on."""
        return sha256_json(
            {
                "model": model,
                "settings": settings.recorded(),
                "messages": [
                    [message.role, [_part(part.text, part.image) for part in message.parts]]
                    for message in sent.messages
                ],
                "schema": None if schema is None else [schema.name, schema.schema],
            }
        )

    def get(self, key: Sha256) -> Reply | None:
        """Return the reply that was kept under `key`; it cost this run no tokens and no time.

        Raises:
            InputError: the file was damaged.
        """
        path = self._path(key)
        if not path.exists():
            return None
        kept = read_json(path, KeptReply)
        return Reply(
            text=kept.text,
            finish=kept.finish,
            images_scaled=kept.images_scaled,
            images_left_out=kept.images_left_out,
            from_cache=1,
        )

    def put(self, key: Sha256, reply: Reply) -> None:
        """Keep a reply; what the provider rejected is not kept, it may be allowed later.

        Raises:
            StorageError: the file cannot be written.
        """
        if reply.finish is Finish.REJECTED:
            return
        kept = KeptReply(
            text=reply.text,
            finish=reply.finish,
            images_scaled=reply.images_scaled,
            images_left_out=reply.images_left_out,
        )
        write_json(self._path(key), kept)

    def _path(self, key: Sha256) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _part(text: str | None, image: FittedImage | None) -> list[str]:
    return ["text", text or ""] if image is None else ["image", sha256_bytes(image.png)]
