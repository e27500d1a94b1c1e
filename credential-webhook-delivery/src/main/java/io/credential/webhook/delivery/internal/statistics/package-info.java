/** Lists deliveries, sends them again, manages dead letters and removes expired deliveries. */
@NullMarked
package io.credential.webhook.delivery.internal.statistics;

import org.jspecify.annotations.NullMarked;
