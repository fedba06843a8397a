"""The two mails of a sign-up, as they arrive."""

from email.message import EmailMessage

from house import PASSWORD, House, a_new_address


def new_mail(house: House) -> EmailMessage:
    """To an address nobody has."""
    address = a_new_address()
    house.make_account(address)
    return house.outbox.mail_to(address)


def taken_mail(house: House) -> EmailMessage:
    """To an address that has an account."""
    address = a_new_address()
    house.make_account(address)
    form = {"display_name": "Ada", "email": address, "password": PASSWORD, "password_confirmation": PASSWORD}
    house.ask("POST", "/signup", form | {"terms": "accepted"})
    return house.outbox.mail_to(address, number=2)
