/**
 * Where webhooks may be sent, and how they get there: the destination policy that keeps requests away from internal
 * addresses, and the HTTP transport that connects to exactly the addresses that the policy has seen.
 */
@NullMarked
package io.credential.webhook.http;

import org.jspecify.annotations.NullMarked;
