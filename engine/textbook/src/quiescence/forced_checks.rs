//! Checks in the forced search: quiet checks are tried as well, the deeper the fewer answers they
//! leave. So mates of checks are found at nearly the speed of captures alone.

use crate::prelude::*;

group! {
    /// Checks in the forced search, by Lang's scheme: the fewer the answers the deeper (Kornilov p.
    /// 107: check 1, two_replies 1, only_reply 2; after p. 142, checks: 0, 1 and 2).
    ForcedChecks, sound {
        /// Quiet checks in quiescence on or off.
        enabled: Switch,
        /// Plies of quiescence in which checks are tried.
        plies: i32 = 2 in 0..=8 step 1,
        /// Further plies for each check with three answers or more.
        check: i32 = 1 in 0..=3 step 1,
        /// Further plies for a check with two answers.
        two_replies: i32 = 1 in 0..=4 step 1,
        /// Further plies for a check with an only answer.
        only_reply: i32 = 2 in 0..=6 step 1,
        /// Most plies of quiescence in which checks are tried.
        plies_max: i32 = 30 in 2..=60 step 4,
    }
}

impl ForcedChecks {
    /// Further plies for a check with so many answers.
    fn plies_for(&self, answers: usize) -> i32 {
        match answers {
            0 | 1 => self.only_reply,
            2 => self.two_replies,
            _ => self.check,
        }
    }
}

impl<G: TextbookGame> Search<'_, G> {
    pub(crate) fn tries_checks(&self, ply: usize) -> bool {
        self.methods.forced_checks.enabled() && ply < self.check_limit
    }

    /// The mover is in check and has so many answers: checks are followed further.
    pub(crate) fn follow_checks_further(&mut self, answers: usize) {
        let checks = &self.methods.forced_checks;
        let last = self.horizon + checks.plies_max as usize;
        self.check_limit = (self.check_limit + checks.plies_for(answers) as usize).min(last);
    }
}

#[cfg(test)]
mod tests {
    use crate::Methods;

    #[test]
    fn checks_are_followed_the_deeper_the_fewer_the_answers() {
        let mut checks = Methods::declared().forced_checks;
        // The figures of the source after p. 142.
        (checks.check, checks.two_replies, checks.only_reply) = (0, 1, 2);
        assert_eq!([1, 2, 3, 9].map(|answers| checks.plies_for(answers)), [2, 1, 0, 0]);
    }
}
