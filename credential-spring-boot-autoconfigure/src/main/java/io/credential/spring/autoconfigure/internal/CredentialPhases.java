package io.credential.spring.autoconfigure.internal;

import org.springframework.context.SmartLifecycle;

/**
 * Lifecycle phases. All components start before the web server accepts requests. Except for {@link #HANDOVER}, they stop
 * after it has answered the last one; its phases are 1024 and 2048 below the default. The DataSource is closed after all
 * of them.
 */
public final class CredentialPhases {

    /** The lease is released first, so that another node leads while this one completes its requests and deliveries. */
    public static final int HANDOVER = SmartLifecycle.DEFAULT_PHASE;

    /** Background work starts after everything that it needs, and stops before it. */
    public static final int BACKGROUND_WORK = SmartLifecycle.DEFAULT_PHASE - 4096;

    /** The audit thread starts before everything that reports events, and stops after it. */
    public static final int AUDIT = BACKGROUND_WORK - 512;

    /** Leadership starts before everything that may require it. When it stops, it waits for listeners of its events. */
    public static final int LEADERSHIP = BACKGROUND_WORK - 1024;

    /** Notifications stop last, so that the release of the lease and work that is finishing are still announced. */
    public static final int NOTIFICATIONS = LEADERSHIP - 512;

    private CredentialPhases() {}
}
