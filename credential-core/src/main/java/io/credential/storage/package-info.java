/** The exceptions of the database, and what is done with its schema at startup. */
@NullMarked
package io.credential.storage;

import org.jspecify.annotations.NullMarked;
