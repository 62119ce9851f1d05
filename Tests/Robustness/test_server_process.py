import psycopg
import pytest

from server_process import ServerProcess


def test_whoever_asks_while_no_postgresql_runs_hears_so_from_any_thread():
    server = ServerProcess()
    try:
        for _ in range(2):
            with pytest.raises((psycopg.Error, TypeError)):
                server.sql("SELECT 1")
    finally:
        server.remove()
