package io.credential.internal.notification;

import java.time.Duration;

/**
 * How long {@link PostgresNotifications} wait.
 *
 * @param heartbeat the time between two checks that the connection still receives
 * @param firstPause the time before the first attempt to connect again; each further one waits twice as long
 * @param stopDeadline how long it may take to send what is waiting when it is stopped
 */
record NotificationTiming(Duration heartbeat, Duration firstPause, Duration stopDeadline) {

    static final NotificationTiming DEFAULT =
            new NotificationTiming(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(2));
}
