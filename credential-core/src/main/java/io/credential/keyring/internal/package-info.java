/** Reads the keyring file, and checks that the database was sealed with its keys. */
@NullMarked
package io.credential.keyring.internal;

import org.jspecify.annotations.NullMarked;
