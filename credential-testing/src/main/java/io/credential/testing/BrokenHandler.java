package io.credential.testing;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

/** A handler of the application that fails at one moment of each observation. */
public record BrokenHandler(Moment moment) implements ObservationHandler<Observation.Context> {

    public enum Moment {
        START,
        SCOPE_OPENED,
        ERROR,
        SCOPE_CLOSED,
        STOP
    }

    @Override
    public void onStart(Observation.Context context) {
        reached(Moment.START);
    }

    @Override
    public void onScopeOpened(Observation.Context context) {
        reached(Moment.SCOPE_OPENED);
    }

    @Override
    public void onError(Observation.Context context) {
        reached(Moment.ERROR);
    }

    @Override
    public void onScopeClosed(Observation.Context context) {
        reached(Moment.SCOPE_CLOSED);
    }

    @Override
    public void onStop(Observation.Context context) {
        reached(Moment.STOP);
    }

    private void reached(Moment now) {
        if (now == moment) {
            throw new NoSuchMethodError("the handler was compiled against another version");
        }
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
