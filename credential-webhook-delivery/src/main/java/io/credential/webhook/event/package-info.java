/** Typed events: records with a name, and the schema of their JSON. */
@NullMarked
package io.credential.webhook.event;

import org.jspecify.annotations.NullMarked;
