"""Errors as GoTrue answers them."""

import json

from .messages import Response

JSON = "application/json"
API_VERSION = "2024-01-01"


class AuthError(Exception):
    """An answer that is an error; the client's API version says in which shape."""

    def __init__(self, status, code, message, **more):
        super().__init__(message)
        self.status, self.code, self.message, self.more = status, code, message, more

    def response(self, request):
        headers = {"Content-Type": JSON}
        if request.headers.get("x-supabase-api-version", "") >= API_VERSION:
            headers["X-Supabase-Api-Version"] = API_VERSION
            body = {"code": self.code, "message": self.message, **self.more}
        else:
            body = {"code": self.status, "error_code": self.code, "msg": self.message, **self.more}
        return Response(self.status, headers, json.dumps(body).encode())
