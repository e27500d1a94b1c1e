/** The database: connections, transactions, dialects, schema migration. */
@NullMarked
package io.credential.storage;

import org.jspecify.annotations.NullMarked;
