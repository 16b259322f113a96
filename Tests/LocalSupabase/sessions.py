"""Sessions: access tokens, and refresh tokens that rotate."""

import json
import secrets
import time

from .tokens import sign

# A user as GoTrue shows it. PostgreSQL's time zone is UTC here.
USER = """
with moment as (select 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' as style)
select json_build_object(
  'id', u.id, 'aud', u.aud, 'role', u.role, 'email', u.email, 'phone', coalesce(u.phone, ''),
  'email_confirmed_at', to_char(u.email_confirmed_at, style),
  'confirmed_at', to_char(u.confirmed_at, style),
  'confirmation_sent_at', to_char(u.confirmation_sent_at, style),
  'recovery_sent_at', to_char(u.recovery_sent_at, style),
  'last_sign_in_at', to_char(u.last_sign_in_at, style),
  'app_metadata', u.raw_app_meta_data, 'user_metadata', u.raw_user_meta_data,
  'identities', coalesce((select json_agg(json_build_object(
      'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
      'identity_data', i.identity_data, 'provider', i.provider, 'email', i.email,
      'last_sign_in_at', to_char(i.last_sign_in_at, style),
      'created_at', to_char(i.created_at, style), 'updated_at', to_char(i.updated_at, style)))
    from auth.identities i where i.user_id = u.id), '[]'),
  'created_at', to_char(u.created_at, style), 'updated_at', to_char(u.updated_at, style),
  'is_anonymous', u.is_anonymous)::text
from auth.users u, moment where u.id = $1::uuid
"""

BEGIN = """
insert into auth.sessions (user_id, user_agent) values ($1::uuid, $2) returning id::text
"""

USE = "update auth.refresh_tokens set revoked = true, updated_at = now() where token = $1"

CURRENT = """
select token from auth.refresh_tokens where session_id = $1::uuid and not revoked
order by id desc limit 1
"""

REVOKE = "update auth.refresh_tokens set revoked = true where session_id = $1::uuid"

NEW = """
with refreshed as (update auth.sessions set refreshed_at = now()
  where id = $3::uuid and $4::text is not null)
insert into auth.refresh_tokens (token, user_id, session_id, parent)
values ($1, $2, $3::uuid, $4)
"""

KNOWN = """
select exists (select from auth.users where id = $1::uuid),
  exists (select from auth.sessions where id = $2::uuid and user_id = $1::uuid)
"""

END = {
    "global": "user_id = $1::uuid",
    "local": "user_id = $1::uuid and id = $2::uuid",
    "others": "user_id = $1::uuid and id <> $2::uuid",
}

TOKEN = """
select t.revoked, extract(epoch from now() - t.updated_at), t.session_id::text, s.user_id::text,
  u.banned_until > now(), s.not_after < now()
from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
join auth.users u on u.id = s.user_id
where t.token = $1 for update of s, t
"""


class Sessions:
    """Begins, continues and ends sessions."""

    def __init__(self, secret, issuer, lifetime, reuse_interval):
        self.secret = secret
        self.issuer = issuer
        self.lifetime = lifetime
        self.reuse_interval = reuse_interval

    def begin(self, connection, user, agent) -> dict:
        (session,) = connection.execute(BEGIN, (user, agent)).fetchone()
        token = self.new_token(connection, user, session, None)
        return self.issue(connection, user, session, token)

    def refresh(self, connection, token):
        """Why not (a code and a message), and the session if nothing speaks against it.

        A used token gives the current one for a while, as a client may have lost the answer;
        after that somebody else may have it, and the session ends. (GoTrue is milder with the
        current token's own parent; a client that is ready for less is ready for that.)"""
        found = connection.execute(TOKEN, (token,)).fetchone()
        if found is None:
            return (
                "refresh_token_not_found",
                "Invalid Refresh Token: Refresh Token Not Found",
            ), None
        used, age, session, user, banned, expired = found
        if banned:
            return ("user_banned", "Invalid Refresh Token: User Banned"), None
        if expired:
            return ("session_expired", "Invalid Refresh Token: Session Expired"), None
        if not used:
            connection.execute(USE, (token,))
            next_token = self.new_token(connection, user, session, token)
            return None, self.issue(connection, user, session, next_token)
        current = connection.execute(CURRENT, (session,)).fetchone()
        if current is None or age > self.reuse_interval:
            connection.execute(REVOKE, (session,))
            return ("refresh_token_already_used", "Invalid Refresh Token: Already Used"), None
        return None, self.issue(connection, user, session, current[0])

    def end(self, connection, claims, scope):
        user, session = claims["sub"], claims.get("session_id")
        parameters = (user,) if scope == "global" else (user, session)
        connection.execute(f"delete from auth.sessions where {END[scope]}", parameters)

    def known(self, connection, claims):
        """Whether the user of the claims is there, and the session."""
        return connection.execute(KNOWN, (claims["sub"], claims.get("session_id"))).fetchone()

    def described_user(self, connection, user) -> dict:
        return json.loads(connection.execute(USER, (user,)).fetchone()[0])

    def new_token(self, connection, user, session, parent):
        token = secrets.token_urlsafe(16)
        connection.execute(NEW, (token, user, session, parent))
        return token

    def issue(self, connection, user_id, session, refresh_token) -> dict:
        user = self.described_user(connection, user_id)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": user["id"],
            "aud": user["aud"],
            "exp": now + self.lifetime,
            "iat": now,
            "email": user["email"],
            "phone": user["phone"],
            "app_metadata": user["app_metadata"],
            "user_metadata": user["user_metadata"],
            "role": user["role"],
            "aal": "aal1",
            "amr": [{"method": "password", "timestamp": now}],
            "session_id": session,
            "is_anonymous": user["is_anonymous"],
        }
        return {
            "access_token": sign(claims, self.secret),
            "token_type": "bearer",
            "expires_in": self.lifetime,
            "expires_at": now + self.lifetime,
            "refresh_token": refresh_token,
            "user": user,
        }
