"""The `Prefer` header: what a client wishes, and what it is told was heard."""

from dataclasses import dataclass

from .errors import ApiError

CHOICES = {
    "resolution": ("merge-duplicates", "ignore-duplicates"),
    "return": ("representation", "minimal", "headers-only"),
    "missing": ("default", "null"),
    "count": ("exact", "planned", "estimated"),
    "handling": ("strict", "lenient"),
    "tx": ("commit", "rollback"),  # understood and not obeyed, as on Supabase
}


@dataclass
class Preferences:
    """The wishes that are known; the first of each kind counts."""

    resolution: str | None = None
    returns: str | None = None
    missing: str | None = None
    count: str | None = None
    handling: str | None = None
    max_affected: int | None = None

    @classmethod
    def of(cls, request):
        wishes, unknown = cls(), []
        for wish in filter(None, map(str.strip, request.headers.get("prefer", "").split(","))):
            key, _, value = wish.partition("=")
            if key == "max-affected" and value.isdigit():
                wishes.max_affected = int(value)
            elif key == "timezone":
                continue
            elif value not in CHOICES.get(key, ()):
                unknown.append(wish)
            elif key != "tx" and getattr(wishes, name_of(key)) is None:
                setattr(wishes, name_of(key), value)
        if unknown and wishes.handling == "strict":
            raise ApiError(
                400,
                "PGRST122",
                "Invalid preferences given with handling=strict",
                "Invalid preferences: " + ", ".join(unknown),
            )
        if wishes.handling != "strict":
            wishes.max_affected = None
        return wishes

    @property
    def missing_is_default(self):
        return self.missing == "default"

    def shape(self, shape):
        """How a change is answered: without `return=representation`, by nothing."""
        return shape if self.returns == "representation" else "none"

    def check_affected(self, count):
        if self.max_affected is not None and count > self.max_affected:
            raise ApiError(
                400,
                "PGRST124",
                "Query result exceeds max-affected preference constraint",
                f"The query affects {count} rows",
            )

    def applied(self, *names):
        """`Preference-Applied`, with those of the named wishes that were given."""
        listed = [
            f"{header_name(name)}={value}"
            for name in (*names, "handling")
            if (value := getattr(self, name)) is not None
        ]
        return {"Preference-Applied": ", ".join(listed)} if listed else {}


def name_of(key):
    return "returns" if key == "return" else key


def header_name(name):
    return {"returns": "return", "max_affected": "max-affected"}.get(name, name)
