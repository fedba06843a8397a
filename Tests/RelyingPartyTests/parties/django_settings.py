# What a new Django project has; the handbook's lines come after it.
from pathlib import Path

SECRET_KEY = "of this test"
ROOT_URLCONF = "mysite.urls"
ALLOWED_HOSTS = ["*"]
USE_TZ = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path.cwd() / "site.sqlite"}}
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
LOGGING = {"version": 1, "disable_existing_loggers": False, "handlers": {"console": {"class": "logging.StreamHandler"}}, "root": {"handlers": ["console"]}}
