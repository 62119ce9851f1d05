"""Tells whoever keeps the results of pytest which tests have the marker `strict`: a second go forgives them lateness alone."""


def pytest_itemcollected(item):
    if item.get_closest_marker("strict"):
        item.user_properties.append(("strict", "yes"))
