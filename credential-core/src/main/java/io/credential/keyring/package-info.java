/** The keyring file, and the check that it is the one that the database was sealed under. */
@NullMarked
package io.credential.keyring;

import org.jspecify.annotations.NullMarked;
