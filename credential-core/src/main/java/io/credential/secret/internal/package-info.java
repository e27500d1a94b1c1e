/** Hashes of key secrets, encodings and random ids. */
@NullMarked
package io.credential.secret.internal;

import org.jspecify.annotations.NullMarked;
