package io.credential.internal.notification;

/** Notifications of a single node. */
enum NoNotifications implements NodeNotifications {
    INSTANCE;

    private static final Subscription SUBSCRIPTION = () -> {};

    @Override
    public void publish(String topic, String text) {}

    @Override
    public Subscription subscribe(String topic, NotificationListener listener) {
        return SUBSCRIPTION;
    }

    @Override
    public boolean isListening() {
        return false;
    }
}
