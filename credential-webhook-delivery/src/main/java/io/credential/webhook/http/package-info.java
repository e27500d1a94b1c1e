/**
 * The destination policy, which keeps requests away from internal addresses, and the HTTP transport, which connects only
 * to the addresses that the policy has checked.
 */
@NullMarked
package io.credential.webhook.http;

import org.jspecify.annotations.NullMarked;
