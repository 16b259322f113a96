"""JSON Web Tokens signed with HS256, as Supabase's keys and access tokens are."""

import base64
import binascii
import hashlib
import hmac
import json
import time


class BadToken(Exception):
    """A token that says nothing: not a JWT, or signed by someone else."""


class ExpiredToken(Exception):
    """A token whose time is over."""


def sign(claims: dict, secret: str) -> str:
    head = _encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    signed = head + b"." + _encode(json.dumps(claims, ensure_ascii=False).encode())
    return (signed + b"." + _encode(_signature(signed, secret))).decode()


def verify(token: str, secret: str) -> dict:
    """The claims. Unlike PostgREST this forgives no half minute after the end, so that tests
    can watch a token expire."""
    parts = token.encode().split(b".")
    if len(parts) != 3:
        raise BadToken(f"Expected 3 parts in JWT; got {len(parts)}")
    try:
        head, claims, signature = (_decode(part) for part in parts)
        head, claims = json.loads(head), json.loads(claims)
    except (ValueError, binascii.Error):
        raise BadToken("JWT cryptographic operation failed") from None
    if not isinstance(head, dict) or head.get("alg") != "HS256":
        raise BadToken("Wrong or unsupported encoding algorithm")
    expected = _signature(b".".join(parts[:2]), secret)
    if not hmac.compare_digest(signature, expected) or not isinstance(claims, dict):
        raise BadToken("No suitable key or wrong key type")
    expiry = claims.get("exp")
    if expiry is not None and (not isinstance(expiry, (int, float)) or expiry <= time.time()):
        raise ExpiredToken("JWT expired")
    return claims


def _signature(signed, secret):
    return hmac.new(secret.encode(), signed, hashlib.sha256).digest()


def _encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _decode(part):
    return base64.b64decode(part + b"=" * (-len(part) % 4), altchars=b"-_", validate=True)
