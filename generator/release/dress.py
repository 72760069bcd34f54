"""A patch that was told from the game's own pictures, and is printed in another form of it.

A release that kept no pictures of a variant or a language cannot say what of that changed. What changed in its own
pictures is printed in the form that is wanted, and what is taken out is shown as it was kept.
"""

from dataclasses import dataclass, replace

from generator.release.manifest import KeptComponent, KeptDesign, Release
from generator.release.plan import Lot, Patch


def dressed(patch: Patch, form: Release) -> Patch:
    """The patch with the new designs and all titles of a form of the new release."""
    return _Dresser(patch.difference.new, form).patch(patch)


@dataclass(frozen=True)
class _Dresser:
    """Knows the new release as it is, and in the form that is wanted."""

    plain: Release
    form: Release

    def patch(self, patch: Patch) -> Patch:
        """All parts of it; the sums are the same."""
        return replace(
            patch,
            difference=replace(patch.difference, new=self.form),
            prints=tuple(
                replace(lot, component=self._component(lot.component), design=self._design(lot.component, lot.design))
                for lot in patch.prints
            ),
            removes=tuple(self._old(lot) for lot in patch.removes),
            stays=tuple(
                replace(stay, component=self._component(stay.component), new=self._design(stay.component, stay.new))
                for stay in patch.stays
            ),
            totals=tuple(replace(total, component=self._component(total.component)) for total in patch.totals),
            mixed=tuple(map(self._component, patch.mixed)),
            told=True,
        )

    def _component(self, component: KeptComponent) -> KeptComponent:
        return next((part for part in self.form.components if part.id == component.id), component)

    def _design(self, component: KeptComponent, design: KeptDesign) -> KeptDesign:
        return _find(self.form, component, design.id) or design

    def _old(self, lot: Lot) -> Lot:
        """Its picture is the old one; its title is the form's, unless it was called otherwise then."""
        now = _find(self.plain, lot.component, lot.design.id)
        same = now is not None and now.title == lot.design.title
        title = self._design(lot.component, lot.design).title if same else lot.design.title
        return replace(lot, component=self._component(lot.component), design=replace(lot.design, title=title))


def _find(release: Release, component: KeptComponent, name: str) -> KeptDesign | None:
    found = (design for part, design in release.designs if (part.id, design.id) == (component.id, name))
    return next(found, None)
