"""Who asks, as the token of a request says."""

from dataclasses import dataclass

from .errors import unauthorized
from .tokens import BadToken, ExpiredToken, verify


@dataclass
class Identity:
    """Who asks: a role of the database and the claims of the token."""

    role: str
    claims: dict

    @property
    def signed_in(self):
        return self.role != "anon"


def identify(request, secret) -> Identity:
    """Without a token of a user the key itself is the token."""
    try:
        if request.treat_as_expired:
            raise ExpiredToken("JWT expired")
        claims = verify(request.bearer or request.api_key, secret)
    except ExpiredToken as error:
        raise unauthorized("PGRST303", str(error)) from None
    except BadToken as error:
        raise unauthorized("PGRST301", str(error)) from None
    role = claims.setdefault("role", "anon")
    return Identity(str(role), claims)
