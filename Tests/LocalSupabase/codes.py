"""Codes that are sent by mail: for confirming an address, and for a new password."""

import hashlib
import secrets

from .auth_errors import AuthError

LIFETIME = "1 hour"

# The columns of each kind of code.
COLUMNS = {"signup": "confirmation", "recovery": "recovery"}

# Asked for by address and code, or by the hash of both, which a link has.
SPEND = """
update auth.users set {0}_token = null, email_confirmed_at = coalesce(email_confirmed_at, now()),
  updated_at = now()
where {0}_token = $1 and {0}_sent_at > now() - $2::interval
returning id::text
"""


def new(connection, kind, user, address):
    """The code of six digits, and the hash that stands for it and the address."""
    code = f"{secrets.randbelow(1_000_000):06}"
    column = COLUMNS[kind]
    connection.execute(
        f"update auth.users set {column}_token = $2, {column}_sent_at = now() where id = $1::uuid",
        (user, hashed(address, code)),
    )
    return code, hashed(address, code)


def spend(connection, kind, token_hash) -> str:
    """The user whose code it is, whose address is confirmed by it; it is good once, for an hour."""
    kinds = list(COLUMNS) if kind == "email" else [kind]
    for one in kinds:
        if one not in COLUMNS:
            raise AuthError(400, "validation_failed", "Verify requires a verification type")
        found = connection.execute(SPEND.format(COLUMNS[one]), (token_hash, LIFETIME)).fetchone()
        if found:
            return found[0]
    raise AuthError(403, "otp_expired", "Token has expired or is invalid")


def hashed(address, code):
    return hashlib.sha224((address.lower() + code).encode()).hexdigest()
