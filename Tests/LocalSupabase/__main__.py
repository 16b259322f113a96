"""Starts a local Supabase and serves until it is told to stop.

Ctrl-C and SIGTERM stop it, and PostgreSQL with it; with --until-stdin-closes so do the end of
standard input and that of the process that started it. Without --keep or --folder nothing is kept. Two users
are ready: mira@example.org with the password "mira-larder" and jonas@example.org with
"jonas-larder".

Mails are told here, and kept at /_local/mails: codes for new passwords, and, with --confirm-email, for
addresses of who signs up.

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
from .mails import Mails
from .postgres import SUPERUSER, Postgres, PostgresError, is_reachable
from .rest import Rest
from .server import Server
from .sessions import Sessions
from .tokens import sign

USERS = {"mira@example.org": "mira-larder", "jonas@example.org": "jonas-larder"}
MIGRATIONS = Path(__file__).parents[2] / "supabase" / "migrations"
KEPT = Path(__file__).parents[2] / ".supabase"
KEPT_BY_ROOT = Path("/var/lib/larder-supabase")
NEVER = 4102444800  # the keys are good until 2100


def arguments():
    parser = argparse.ArgumentParser(
        prog="supabase", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--port", type=int, default=54321, metavar="N", help="where to listen; 0 is any free port")
    add("--folder", type=Path, metavar="DIR", help="keep everything here, to be used again")
    add("--keep", action="store_true", help="keep everything in a folder of this checkout and port")
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
    add(
        "--confirm-email",
        action="store_true",
        help="let nobody in who signed up and has not confirmed their address",
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
        if options.keep and not options.folder:
            options.folder = kept_folder(options.port)
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


def kept_folder(port):
    """One for each port, so that two servers have their own."""
    name = str(port)
    return (KEPT if is_reachable(KEPT.parent) else KEPT_BY_ROOT) / name


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
    try:
        server = Server(options.port)
    except OSError as error:
        raise OSError(
            f"can't listen on port {options.port}: {error.strerror}\n"
            "hint: choose another with --port N, or with 'make supabase PORT=N'"
        ) from None
    postgres.start()
    migrations.apply(options.migrations, postgres.address("postgres"))
    is_new = not (postgres.folder / "secret").exists()
    secret = kept_secret(postgres.folder)
    keys = {role: key(role, secret) for role in ("anon", "service_role")}
    issuer = f"{server.url}/auth/v1"
    sessions = Sessions(secret, issuer, options.jwt_lifetime, options.reuse_interval)
    mails = Mails(None if options.json else told)
    auth = Auth(
        Pool(postgres.address("supabase_auth_admin"), 8), sessions, mails, options.confirm_email
    )
    rest = Rest(Database(postgres.address("authenticator")), secret, options.max_rows)
    halves = {"/rest/v1": rest, "/auth/v1": auth}
    server.open(keys.values(), halves, Faults() if options.faults else None, mails)
    facts = {
        "url": server.url,
        "anonKey": keys["anon"],
        "serviceKey": keys["service_role"],
        "users": ready_users(auth.pool),
        "database": postgres.address(SUPERUSER),
    }
    if options.json:
        print(json.dumps(facts), flush=True)
    else:
        announce(facts, options.folder, is_new)
    server.serve_forever()


def told(mail):
    print(f"mail to {mail['to']}: the code for {mail['type']} is {mail['code']}", flush=True)


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


def announce(facts, folder, is_new):
    print(f"URL          {facts['url']}\nanon key     {facts['anonKey']}")
    for user in facts["users"]:
        print(f"user         {user['email']}  password {user['password']}")
    if folder:
        for name in ("anon", "service"):
            keep(folder / f"{name}-key", facts[f"{name}Key"])
        print(f"kept in      {folder} (the keys, too: anon-key, service-key)")
    else:
        print("kept         nowhere: it is gone when this ends")
    if is_new:
        print("The keys are new: who was connected to another one here connects and signs in again.")
    print(f"database     psql '{facts['database']}'\nStop with Ctrl-C.", flush=True)


def keep(path, text):
    path.touch(mode=0o600)
    path.write_text(text + "\n")


main()
