"""Where concrete parts are named and joined: opening a project, its interpreter, the doctor."""
