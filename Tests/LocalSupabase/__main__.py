"""Starts a local Supabase and serves until it is told to stop.

Ctrl-C and SIGTERM stop it, and PostgreSQL with it; with --until-stdin-closes so does the end of
standard input. Without --folder nothing is kept. Two users are ready: mira@example.org with the
password "mira-larder" and jonas@example.org with "jonas-larder".
"""

import argparse
import json
import os
import secrets
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
from .tokens import sign

USERS = {"mira@example.org": "mira-larder", "jonas@example.org": "jonas-larder"}
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
        default=Path("supabase/migrations"),
        help="apply every *.sql of this folder that is new (supabase/migrations)",
    )
    add("--json", action="store_true", help="say what there is as one line of JSON when ready")
    add("--until-stdin-closes", action="store_true", help="stop when standard input ends")
    add("--jwt-lifetime", type=int, default=3600, metavar="SECONDS", help="of access tokens (3600)")
    add(
        "--reuse-interval",
        type=float,
        default=10,
        metavar="SECONDS",
        help="how long a used refresh token still gives the current one (10)",
    )
    add("--max-rows", type=int, metavar="N", help="answer at most so many rows, silently")
    add("--faults", action="store_true", help=f"let tests make requests fail at {PATH}")
    return parser.parse_args()


class Stop(BaseException):
    """Somebody wants the server to end."""


def main():
    options = arguments()
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

        def watch():
            while os.read(0, 4096):
                pass
            os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=watch, daemon=True).start()


def serve(options, postgres):
    server = Server(options.port)
    postgres.start()
    secret = kept_secret(postgres.folder)
    keys = {
        role: sign(
            {"iss": "supabase", "ref": "local", "role": role, "iat": 1700000000, "exp": NEVER},
            secret,
        )
        for role in ("anon", "service_role")
    }
    if options.migrations.is_dir():
        migrations.apply(options.migrations, postgres.address("postgres"))
    auth = Auth(
        Pool(postgres.address("supabase_auth_admin"), 8),
        secret,
        server.url,
        options.jwt_lifetime,
        options.reuse_interval,
    )
    rest = Rest(Database(postgres.address("authenticator")), secret, options.max_rows)
    server.open(
        keys.values(), {"/rest/v1": rest, "/auth/v1": auth}, Faults() if options.faults else None
    )
    announce(
        options.json,
        {
            "url": server.url,
            "anonKey": keys["anon"],
            "serviceKey": keys["service_role"],
            "users": ready_users(auth),
            "database": postgres.address(SUPERUSER),
        },
    )
    server.serve_forever()


def kept_secret(folder):
    """The secret behind keys and tokens, the folder's own."""
    path = folder / "secret"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text()


def ready_users(auth):
    with auth.pool.connection() as connection:
        for address, password in USERS.items():
            users.create(connection, address, password)
        ids = dict(connection.execute("select email, id::text from auth.users").fetchall())
        connection.commit()
    return [
        {"email": address, "password": password, "id": ids[address]}
        for address, password in USERS.items()
        if address in ids
    ]


def announce(as_json, facts):
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
