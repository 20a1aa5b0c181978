"""Run the migrations for alembic, on the caller's connection and in the caller's transaction."""

from alembic import context

from houseway.audit.sql.migrate import VERSIONS

context.configure(connection=context.config.attributes["connection"], version_table=VERSIONS)
context.run_migrations()
