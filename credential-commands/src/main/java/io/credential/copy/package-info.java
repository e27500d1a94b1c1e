/** The command that copies the rows of a SQLite file into PostgreSQL. */
@NullMarked
package io.credential.copy;

import org.jspecify.annotations.NullMarked;
