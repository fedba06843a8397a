
# What Paperless-ngx adds, before the settings of its environment.
INSTALLED_APPS += [  # noqa: F821
    "django.contrib.messages", "allauth", "allauth.account", "allauth.socialaccount", APPS,  # noqa: F821
]
MIDDLEWARE += [  # noqa: F821
    "django.contrib.messages.middleware.MessageMiddleware", "allauth.account.middleware.AccountMiddleware",
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
}]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = LOGIN_REDIRECT_URL = "/"
SOCIALACCOUNT_AUTO_SIGNUP = True
SOCIALACCOUNT_LOGIN_ON_GET = True
