"""nginx, as the quickest server one might put in our place: it serves the bytes and headers of one of our answers."""

import os
import pathlib
import re
import shutil
import subprocess

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
    include printed.conf;
    server {{
        listen 127.0.0.1:{yes};
        keepalive_requests 1000000000;
        return 200;
    }}
}}
"""


class Gate(house.Process):
    """A site behind what `vestibule proxy-config nginx` prints, but without TLS, at `/page` of the host of `origin`. Who
    decides is the server at the port `judge`, or one of nginx's own that lets everybody in."""

    def __init__(self, binary, folder, origin, judge=None, **settings):
        folder.mkdir(exist_ok=True)
        site = folder / "site"
        site.mkdir(exist_ok=True)
        (site / "page").write_text("x" * 1000)
        port, yes, unused = house.free_port(), house.free_port(), house.free_port()
        printed = self._printed(binary, folder, site, judge or yes, settings)
        printed = re.sub(r"^ *(listen \[::\]|ssl_).*\n", "", printed, flags=re.MULTILINE)
        printed = printed.replace("listen 80", f"listen 127.0.0.1:{unused}")
        (folder / "printed.conf").write_text(printed.replace("listen 443 ssl", f"listen 127.0.0.1:{port}"))
        configuration = folder / "nginx.conf"
        configuration.write_text(GATE.format(
            user="user root;" if os.geteuid() == 0 else "", cores=house.CORES, yes=yes))
        self.headers = (f"Host: {origin.partition('://')[2]}",)
        binary = shutil.which("nginx") or UNPACKED
        # What listens at `yes` answers to any name, and nginx opens all its ports at once.
        super().__init__([binary, "-e", "stderr", "-p", folder, "-c", configuration], yes, "/", folder)
        self.port = port

    @staticmethod
    def _printed(binary, folder, site, judge, settings):
        own = {f"VESTIBULE_{name}": value for name, value in settings.items()} | {
            "VESTIBULE_PUBLIC_URL": "https://login.example.net", "VESTIBULE_DEV_EXPOSE": "on", "VESTIBULE_PORT": str(judge)}
        return subprocess.run(
            [binary, "proxy-config", "nginx", "--to", f"notes={site}"], cwd=folder, env=os.environ | own, check=True,
            capture_output=True, text=True).stdout

    processor_seconds = Nginx.processor_seconds
