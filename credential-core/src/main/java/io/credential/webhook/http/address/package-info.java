/** What an address is, and whether a webhook may go there: text and bytes only, no network. */
@NullMarked
package io.credential.webhook.http.address;

import org.jspecify.annotations.NullMarked;
