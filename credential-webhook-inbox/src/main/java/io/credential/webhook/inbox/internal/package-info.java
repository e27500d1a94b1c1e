/** The inbox in the database, and the threads that process it. */
@NullMarked
package io.credential.webhook.inbox.internal;

import org.jspecify.annotations.NullMarked;
