"""Starts a local Supabase and serves until it is told to stop.

Ctrl-C and SIGTERM stop it, and PostgreSQL with it; with --until-stdin-closes so do the end of
standard input and that of the process that started it. Without --folder nothing is kept. Two users
are ready: mira@example.org with the password "mira-larder" and jonas@example.org with
"jonas-larder".

With --faults, POST /_local/faults takes a list of rules; the first that fits and is due decides:
  [{"match": {"method": "POST", "path": "/rest/v1/items", "regex": "id=eq", "after": 2, "times": 1},
    "action": {"drop": "after"}}]
All of "match" may be left out; "path" is how path and query begin, "about" a text in address,
body or token. Actions, several at once too:
  "delay": seconds before the transaction, "linger": after it      "truncate": bytes
  "drop": "before" | "after" the transaction
  "status": number, with "body" and "headers"      "redirect": URL       "cap": rows
  "expire": true (the token counts as expired)
GET shows the rules, how often they fired, and the requests that came; DELETE forgets both, with
?about=TEXT only the rules about that.
"""

import argparse
import json
import os
import secrets
import select
import signal
import sys
import threading
from pathlib import Path

from . import migrations, users
from .auth import Auth
from .database import Database, Pool
from .faults import PATH, Faults
from .postgres import SUPERUSER, Postgres, PostgresError
from .rest import Rest
from .server import Server
from .sessions import Sessions
from .tokens import sign

USERS = {"mira@example.org": "mira-larder", "jonas@example.org": "jonas-larder"}
MIGRATIONS = Path(__file__).parents[2] / "supabase" / "migrations"
NEVER = 4102444800  # the keys are good until 2100


def arguments():
    parser = argparse.ArgumentParser(
        prog="supabase", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--port", type=int, default=54321, metavar="N", help="where to listen; 0 is any free port")
    add("--folder", type=Path, metavar="DIR", help="keep everything here, to be used again")
    add(
        "--migrations",
        type=Path,
        metavar="DIR",
        default=MIGRATIONS,
        help="apply every *.sql of this folder that is new (this project's supabase/migrations)",
    )
    add("--json", action="store_true", help="say what there is as one line of JSON when ready")
    add(
        "--until-stdin-closes",
        action="store_true",
        help="stop when standard input or the process that started it ends",
    )
    add("--jwt-lifetime", type=int, default=3600, metavar="SECONDS", help="of access tokens (3600)")
    add(
        "--reuse-interval",
        type=float,
        default=10,
        metavar="SECONDS",
        help="how long a used refresh token still gives the current one (10)",
    )
    add(
        "--max-rows",
        type=int,
        default=1000,
        metavar="N",
        help="answer at most so many rows, silently (1000)",
    )
    add("--faults", action="store_true", help=f"let tests make requests fail at {PATH}")
    return parser.parse_args()


class Stop(BaseException):
    """Somebody wants the server to end."""


def main():
    options = arguments()
    os.closerange(3, 1024)  # what a careless parent left open: others wait for these to close
    stop_when_told(options.until_stdin_closes)
    postgres = None
    try:
        postgres = Postgres(options.folder and options.folder.resolve())
        serve(options, postgres)
    except Stop:
        pass
    except (PostgresError, migrations.MigrationError, OSError) as error:
        sys.exit(f"error: {error}")
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if postgres:
            postgres.stop()


def stop_when_told(at_end_of_input):
    def stop(*_):
        raise Stop

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    if at_end_of_input:

        threading.Thread(target=wait_for_end, args=[os.getppid()], daemon=True).start()


def wait_for_end(parent):
    """Of the input or of the parent: a sibling may have inherited the other end of the input."""
    while os.getppid() == parent:
        readable, _, _ = select.select([0], [], [], 0.5)
        if readable and not os.read(0, 4096):
            break
    os.kill(os.getpid(), signal.SIGTERM)


def serve(options, postgres):
    server = Server(options.port)
    postgres.start()
    migrations.apply(options.migrations, postgres.address("postgres"))
    secret = kept_secret(postgres.folder)
    keys = {role: key(role, secret) for role in ("anon", "service_role")}
    issuer = f"{server.url}/auth/v1"
    sessions = Sessions(secret, issuer, options.jwt_lifetime, options.reuse_interval)
    auth = Auth(Pool(postgres.address("supabase_auth_admin"), 8), sessions)
    rest = Rest(Database(postgres.address("authenticator")), secret, options.max_rows)
    halves = {"/rest/v1": rest, "/auth/v1": auth}
    server.open(keys.values(), halves, Faults() if options.faults else None)
    facts = {
        "url": server.url,
        "anonKey": keys["anon"],
        "serviceKey": keys["service_role"],
        "users": ready_users(auth.pool),
        "database": postgres.address(SUPERUSER),
    }
    announce(facts, options.json)
    server.serve_forever()


def key(role, secret):
    claims = {"iss": "supabase", "ref": "local", "role": role, "iat": 1700000000, "exp": NEVER}
    return sign(claims, secret)


def kept_secret(folder):
    """The secret behind keys and tokens, the folder's own."""
    path = folder / "secret"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text()


def ready_users(pool):
    with pool.connection() as connection:
        for address, password in USERS.items():
            users.create(connection, address, password)
        ids = dict(connection.execute("select email, id::text from auth.users").fetchall())
        connection.commit()
    return [
        {"email": address, "password": password, "id": ids[address]}
        for address, password in USERS.items()
        if address in ids
    ]


def announce(facts, as_json):
    if as_json:
        print(json.dumps(facts), flush=True)
        return
    print(
        f"URL          {facts['url']}\nanon key     {facts['anonKey']}\n"
        f"service key  {facts['serviceKey']}"
    )
    for user in facts["users"]:
        print(f"user         {user['email']}  {user['password']}")
    print(f"database     psql '{facts['database']}'\nStop with Ctrl-C.", flush=True)


main()
