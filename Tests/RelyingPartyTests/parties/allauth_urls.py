"""A Django site that signs people in with django-allauth, as Paperless-ngx does."""

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import include, path


def home(request):
    if not request.user.is_authenticated:
        return HttpResponse("Nobody is here. <a href=/accounts/oidc/vestibule/login/>Sign in</a>")
    return HttpResponse(
        f"Welcome, {request.user.email}. <form action=/accounts/logout/ method=post>"
        f"<input type=hidden name=csrfmiddlewaretoken value={get_token(request)}><button>Leave</button></form>")


urlpatterns = [path("", home), path("accounts/", include("allauth.urls"))]
