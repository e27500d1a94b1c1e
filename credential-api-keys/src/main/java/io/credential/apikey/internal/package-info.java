/** Implements the registries of API keys in the database. */
@NullMarked
package io.credential.apikey.internal;

import org.jspecify.annotations.NullMarked;
