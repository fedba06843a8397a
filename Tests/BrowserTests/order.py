"""In which order tests run."""


def pytest_configure(config) -> None:
    config.addinivalue_line("markers", "long: takes many seconds; such tests begin first")


def pytest_collection_modifyitems(items) -> None:
    """Long tests come first, so that no worker waits for them in the end; those of one group follow each other."""
    first: dict[str, tuple[bool, int]] = {}
    names = [group.args[0] if (group := item.get_closest_marker("xdist_group")) else item.nodeid for item in items]
    for position, (item, name) in enumerate(zip(items, names)):
        first.setdefault(name, (item.get_closest_marker("long") is None, position))
    items[:] = [item for _, item in sorted(zip(names, items), key=lambda each: first[each[0]])]
