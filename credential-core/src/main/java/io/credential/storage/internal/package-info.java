/** Connections, transactions, dialects and schema migration. */
@NullMarked
package io.credential.storage.internal;

import org.jspecify.annotations.NullMarked;
