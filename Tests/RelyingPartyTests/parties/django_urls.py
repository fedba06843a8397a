"""A Django site with one page; what the handbook adds to its addresses comes after it."""

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import include, path


def home(request):
    if not request.user.is_authenticated:
        return HttpResponse("Nobody is here. <a href=/oidc/authenticate/>Sign in</a>")
    return HttpResponse(
        f"Welcome, {request.user.email}. <form action=/oidc/logout/ method=post>"
        f"<input type=hidden name=csrfmiddlewaretoken value={get_token(request)}><button>Leave</button></form>")


urlpatterns = [path("", home)]
