"""Run by alembic: the steps go over the caller's connection, in the caller's transaction."""

from alembic import context

from houseway.audit.sql.schema import VERSIONS, metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, version_table=VERSIONS
)
context.run_migrations()
