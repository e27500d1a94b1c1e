/** Stores the ids of accepted requests in the database. */
@NullMarked
package io.credential.webhook.replay.internal;

import org.jspecify.annotations.NullMarked;
