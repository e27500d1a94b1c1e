/** Secrets as types: bytes that do not print, hashes of key secrets, random ids. */
@NullMarked
package io.credential.secret;

import org.jspecify.annotations.NullMarked;
