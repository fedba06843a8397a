"""A real SMTP server for the tests: prints its port, then every login and mail it gets, one JSON object a line.

Ends when its standard input closes.
"""

import argparse
import asyncio
import datetime
import json
import logging
import pathlib
import ssl
import sys
import tempfile

from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", choices=["starttls", "implicit", "none"], default="starttls")
    parser.add_argument("--auth", help="user:password that must be given before a mail")
    parser.add_argument("--mechanism", help="such as CRAM-MD5: the only sign-in offered, or none")
    parser.add_argument("--reply-to-mail", help="such as 553: what MAIL FROM is answered")
    parser.add_argument("--refused-senders", type=int, help="how many MAIL FROM that is for, then 250")
    parser.add_argument("--hang-domain", help="says nothing more to a mail for this domain, once it has all of it")
    parser.add_argument("--reply-to-rcpt", help="such as 550")
    parser.add_argument("--reply-to-data", help="such as 554, or close: breaks off the connection")
    parser.add_argument("--hang-at", choices=["rcpt", "quit"], help="never answers that command")
    parser.add_argument("--count-sessions", action="store_true", help="tells in the end how many were open at a time")
    parser.add_argument("--close-at", choices=["rcpt", "data"], help="breaks off the connection at that command")
    parser.add_argument("--greeting", help="such as 554: refuses every connection")
    parser.add_argument("--no-smtputf8", action="store_true")
    parser.add_argument("--hang", action="store_true", help="accepts connections and never says a word")
    return parser.parse_args()


def tell(**fields):
    print(json.dumps(fields), flush=True)


def make_certificate(folder):
    """Writes a self-signed certificate for localhost and its key; returns their path, both in one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = pathlib.Path(folder) / "localhost.pem"
    path.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return path


class Handler:
    refused = 0

    def __init__(self, options):
        self.options = options

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        if not self.options.mechanism:
            return responses
        offered = [] if self.options.mechanism == "none" else [f"250-AUTH {self.options.mechanism}"]
        return [responses[0], *offered, *(line for line in responses[1:] if not line.startswith("250-AUTH"))]

    async def handle_MAIL(self, server, session, envelope, address, mail_options):
        most = self.options.refused_senders
        if self.options.reply_to_mail and (most is None or Handler.refused < most):
            Handler.refused += 1
            return f"{self.options.reply_to_mail} <{address}> may not send"
        envelope.mail_from = address
        envelope.mail_options.extend(mail_options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if self.options.close_at == "rcpt":
            server.transport.abort()
        if self.options.hang_at == "rcpt":
            await asyncio.sleep(3600)
        if self.options.reply_to_rcpt:
            return f"{self.options.reply_to_rcpt} <{address}> is not for us"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.options.hang_domain and envelope.rcpt_tos[0].endswith("@" + self.options.hang_domain):
            tell(kind="hanging", recipients=envelope.rcpt_tos)
            await asyncio.sleep(3600)
        tell(
            kind="mail",
            tls=session.ssl is not None or self.options.tls == "implicit",
            ehlo=session.host_name,
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            smtputf8=envelope.smtp_utf8,
            message=envelope.content.decode("utf-8"),
        )
        if self.options.reply_to_data == "close":
            server.transport.abort()
        return f"{self.options.reply_to_data} refused" if self.options.reply_to_data else "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        if self.options.hang_at == "quit":
            await asyncio.sleep(3600)
        return "221 Bye"


class Server(SMTP):
    sessions = most_sessions = 0

    def connection_made(self, transport):
        # Again, once TLS is spoken.
        if not self.session:
            Server.sessions += 1
            Server.most_sessions = max(Server.sessions, Server.most_sessions)
        super().connection_made(transport)

    def connection_lost(self, error):
        Server.sessions -= 1
        super().connection_lost(error)

    async def smtp_DATA(self, arg):
        if self.event_handler.options.close_at == "data":
            self.transport.abort()
        else:
            await super().smtp_DATA(arg)


def protocol(options, context):
    def authenticate(server, session, envelope, mechanism, credentials):
        given = f"{credentials.login.decode()}:{credentials.password.decode()}"
        tell(kind="login", tls=session.ssl is not None or options.tls == "implicit")
        return AuthResult(success=given == options.auth, handled=False)

    return Server(
        Handler(options),
        hostname="localhost",
        enable_SMTPUTF8=not options.no_smtputf8,
        tls_context=context if options.tls == "starttls" else None,
        require_starttls=options.tls == "starttls",
        auth_required=options.auth is not None,
        auth_require_tls=options.tls == "starttls",
        authenticator=authenticate if options.auth else None,
    )


async def only_greet(writer, greeting):
    if greeting:
        writer.write(f"{greeting} go away\r\n".encode())
    await asyncio.sleep(3600)


async def main():
    options = arguments()
    logging.disable()  # clients that break off the handshake are what the tests are about
    with tempfile.TemporaryDirectory() as folder:
        pem = make_certificate(folder)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(pem)
        if options.hang or options.greeting:
            server = await asyncio.start_server(lambda _, w: only_greet(w, options.greeting), "127.0.0.1", 0)
        else:
            server = await asyncio.get_running_loop().create_server(
                lambda: protocol(options, context),
                "127.0.0.1",
                0,
                ssl=context if options.tls == "implicit" else None,
            )
        tell(kind="ready", port=server.sockets[0].getsockname()[1], caFile=str(pem))
        await asyncio.to_thread(sys.stdin.read)
        if options.count_sessions:
            tell(kind="end", sessions=Server.most_sessions)


asyncio.run(main())
