/** Parses IP addresses and decides which are allowed; does not access the network. */
@NullMarked
package io.credential.webhook.http.internal.address;

import org.jspecify.annotations.NullMarked;
