"""nginx, as the quickest server one might put in our place: it serves the bytes and headers of one of our answers."""

import os
import pathlib
import shutil

import house

UNPACKED = house.ROOT / ".build/nginx/usr/sbin/nginx"
OWN = ("content-length", "content-type", "date")
CONFIGURATION = """
{user}
worker_processes {cores};
daemon off;
pid nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    sendfile on;
    etag off;
    open_file_cache max=10;
    keepalive_requests 1000000000;
    client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary;
    uwsgi_temp_path temporary; scgi_temp_path temporary;
    types {{}}
    default_type "{type}";
    server {{
        listen 127.0.0.1:{port};
        root {folder};
        add_header Last-Modified "";
        {headers}
    }}
}}
"""


class Nginx(house.Process):
    """Serves the answer at `/answer`."""

    def __init__(self, folder, answer):
        folder.mkdir(exist_ok=True)
        (folder / "answer").write_bytes(answer.body)
        fields = dict(answer.headers)
        port = house.free_port()
        configuration = folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(
            user="user root;" if os.geteuid() == 0 else "", cores=house.CORES, port=port, folder=folder,
            type=fields["content-type"],
            headers="\n".join(f"add_header {name} '{self._quoted(value)}';"
                              for name, value in fields.items() if name not in OWN)))
        binary = shutil.which("nginx") or UNPACKED
        super().__init__([binary, "-e", "stderr", "-p", folder, "-c", configuration], port, "/answer", folder)

    @staticmethod
    def _quoted(value):
        return value.replace("\\", "\\\\").replace("'", "\\'").replace("$", "")

    def processor_seconds(self):
        """Its workers answer; those of the first process are its own alone."""
        number = self.process.pid
        workers = pathlib.Path(f"/proc/{number}/task/{number}/children").read_text().split()
        return sum(house.processor_seconds(worker) for worker in workers)


GATE = """
{user}
worker_processes {cores};
daemon off;
pid nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary;
    uwsgi_temp_path temporary; scgi_temp_path temporary;
    upstream judge {{ server 127.0.0.1:{judge}; keepalive 64; keepalive_requests 1000000000; }}
    server {{
        listen 127.0.0.1:{port};
        root {folder};
        location /page {{ auth_request /verdict; }}
        location /open {{}}
        location = /verdict {{
            internal;
            proxy_pass http://judge/authz/auth-request;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_pass_request_body off;
            proxy_set_header Content-Length "";
            proxy_set_header X-Original-Method $request_method;
            proxy_set_header X-Original-URL {origin}$request_uri;
        }}
    }}
    server {{
        listen 127.0.0.1:{yes};
        return 200;
    }}
}}
"""


class Gate(house.Process):
    """A site behind `auth_request` at `/page`; who decides is at the port `judge`, or lets everybody in (`yes`)."""

    def __init__(self, folder, origin, judge=None):
        folder.mkdir(exist_ok=True)
        for name in ("page", "open"):
            (folder / name).write_text("x" * 1000)
        port, self.yes = house.free_port(), house.free_port()
        configuration = folder / "nginx.conf"
        configuration.write_text(GATE.format(
            user="user root;" if os.geteuid() == 0 else "", cores=house.CORES, port=port, folder=folder, origin=origin,
            judge=judge or self.yes, yes=self.yes))
        binary = shutil.which("nginx") or UNPACKED
        super().__init__([binary, "-e", "stderr", "-p", folder, "-c", configuration], port, "/open", folder)

    processor_seconds = Nginx.processor_seconds
