/** Notifications between the nodes of a cluster. */
@NullMarked
package io.credential.spring.autoconfigure.notification;

import org.jspecify.annotations.NullMarked;
