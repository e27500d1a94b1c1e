/** Single-use tickets that stand for a key for a short time: their form and their table. */
@NullMarked
package io.credential.apikey.internal.ticket;

import org.jspecify.annotations.NullMarked;
