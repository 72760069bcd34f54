"""Format 4: pictures of pixels lie behind the text as they are, one after the other, and are not packed again.

In the place of each stand its kind, its size and its digest. One that no program would write just so stays as text.
All else is as in format 3, and written and read there.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, BinaryIO

from pydantic import BaseModel, ConfigDict, Field

from generator.core.held import Aside, Held
from generator.core.problems import Wrong
from generator.release.formats import one, three
from generator.release.record import Release

_ADDRESS = re.compile(r"data:([\w/+.-]+);base64,([A-Za-z0-9+/]+=*)")


class StoredPicture(one.Stored):
    """A picture that lies behind the text: its bytes follow those of the one before it."""

    kind: Annotated[str, Field(pattern=r"^[\w/+.-]+$")]
    size: Annotated[int, Field(ge=0)]
    digest: str

    def address(self, data: bytes) -> str:
        """The picture as faces have it."""
        if sha256(data).hexdigest() != self.digest:
            raise Wrong("this release is damaged: a picture in it is not what it was", "a file made by `pnp release`")
        return f"data:{self.kind};base64,{b64encode(data).decode()}"


class StoredPictures(BaseModel):
    """What differs from format 3."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    images: list[str | StoredPicture]


def write(release: Release) -> tuple[dict[str, object], Held]:
    """The release as JSON can hold it, and what follows that."""
    plain = three.write(release)
    images: list[object] = []
    apart = {key: picture for face in release.faces.values() for key, picture in face.drawn.pictures}

    def write_behind(file: BinaryIO) -> None:
        for key in map(str, StoredPictures.model_validate(plain).images):
            address = apart[key].text if key in apart else key
            data = _plain(address)
            images.append(_told(address, data) if data else address)
            file.write(data)

    behind = Aside().made(write_behind)
    return {**plain, "images": images}, behind


def _plain(address: str) -> bytes:
    """The bytes that an address holds, nothing where they would be written in another way."""
    found = _ADDRESS.fullmatch(address)
    data = b64decode(found[2] + "=" * (-len(found[2]) % 4)) if found else b""
    return data if found and b64encode(data).decode() == found[2] else b""


def _told(address: str, data: bytes) -> dict[str, object]:
    kind = address.removeprefix("data:").partition(";")[0]
    return {"kind": kind, "size": len(data), "digest": sha256(data).hexdigest()}


def read(data: object, behind: bytes) -> Release:
    """The release of what JSON held and what followed; raises pydantic's error, or `Wrong`, where it cannot be one."""
    stored = StoredPictures.model_validate(data)
    if not isinstance(data, Mapping):
        raise TypeError("what pydantic took for a model is a mapping")
    told = sum(image.size for image in stored.images if isinstance(image, StoredPicture))
    if told != len(behind):
        why = "its end is missing" if told > len(behind) else "something stands after its end"
        raise Wrong(f"this release is damaged: {why}", "a file made by `pnp release`")
    return three.read({**data, "images": list(_addresses(stored.images, behind))})


def _addresses(images: Sequence[str | StoredPicture], behind: bytes) -> Iterator[str]:
    start = 0
    for image in images:
        if isinstance(image, StoredPicture):
            yield image.address(behind[start : start + image.size])
            start += image.size
        else:
            yield image
