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
